"""Layers, models and losses: `torch.nn`."""

from ..names import on_demand

# The modules, and the names that each has to show. They are imported when one of these is first asked for.
HOMES = {
    "..core.tensor": "Parameter",
    ".": "attention functional init modules parallel parameter utils",
    ".activation": """
        CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish PReLU
        RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh
        Tanhshrink Threshold
    """,
    ".adaptive": "AdaptiveLogSoftmaxWithLoss",
    ".multihead_attention": "MultiheadAttention",
    ".containers": "ModuleDict ModuleList ParameterDict ParameterList Sequential",
    ".convolution": "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d",
    ".distance": "CosineSimilarity PairwiseDistance",
    ".dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    ".embedding": "Embedding EmbeddingBag",
    ".functional.linear_loss": "LinearCrossEntropyOptions",
    ".lazy": """
        LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d
        LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d
        LazyLinear
    """,
    ".linear": "Bilinear Identity Linear",
    ".loss": """
        BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss
        HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MSELoss MarginRankingLoss
        MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss PoissonNLLLoss SmoothL1Loss
        SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss
    """,
    ".module": "Module",
    ".normalization": """
        BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LayerNorm
        LocalResponseNorm RMSNorm
    """,
    ".padding": """
        CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
        ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d
        ZeroPad3d
    """,
    ".parallel": "DataParallel",
    ".parameter": "Buffer UninitializedBuffer UninitializedParameter",
    ".pooling": """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
        AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d
        LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d
    """,
    ".rearranging": """
        ChannelShuffle Flatten Fold PixelShuffle PixelUnshuffle Unflatten Unfold Upsample UpsamplingBilinear2d
        UpsamplingNearest2d
    """,
    ".recurrent": "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase",
    ".transformer": """
        Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
    """,
}
__getattr__, __dir__, __all__ = on_demand(__name__, HOMES)
