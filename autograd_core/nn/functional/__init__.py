"""Layers and losses as functions, without state: `torch.nn.functional`."""

from ...names import on_demand

# The modules, and the names that each has to show. They are imported when one of these is first asked for.
HOMES = {
    "...ops.images.shuffling": "channel_shuffle pixel_shuffle pixel_unshuffle",
    "...ops.linear_algebra.distances": "cosine_similarity pairwise_distance pdist",
    "...ops.linear_algebra.matmul": "linear",
    "...ops.linear_algebra.products": "bilinear",
    "...ops.windows.avg_pooling": """
        adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d lp_pool1d
        lp_pool2d lp_pool3d
    """,
    "...ops.windows.borders": "pad",
    "...ops.windows.columns": "fold unfold",
    "...ops.windows.convolving": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d",
    "...ops.windows.fractional_pooling": """
        fractional_max_pool2d fractional_max_pool2d_with_indices fractional_max_pool3d
        fractional_max_pool3d_with_indices
    """,
    "...ops.windows.max_pooling": """
        adaptive_max_pool1d adaptive_max_pool1d_with_indices adaptive_max_pool2d
        adaptive_max_pool2d_with_indices adaptive_max_pool3d adaptive_max_pool3d_with_indices max_pool1d
        max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d max_pool3d_with_indices
        max_unpool1d max_unpool2d max_unpool3d
    """,
    ".activation": """
        celu celu_ elu elu_ gelu glu hardshrink hardsigmoid hardswish hardtanh hardtanh_ leaky_relu
        leaky_relu_ log_softmax logsigmoid mish prelu relu relu6 relu_ rrelu rrelu_ selu selu_ sigmoid silu
        softmax softmin softplus softshrink softsign tanh tanhshrink threshold threshold_
    """,
    ".attention": "multi_head_attention_forward scaled_dot_product_attention",
    ".classification": "cross_entropy nll_loss",
    ".ctc": "ctc_loss",
    ".dropout": "alpha_dropout dropout dropout1d dropout2d dropout3d feature_alpha_dropout",
    ".embedding": "embedding embedding_bag one_hot",
    ".embedding_loss": "cosine_embedding_loss triplet_margin_loss triplet_margin_with_distance_loss",
    ".gumbel_sampling": "gumbel_softmax",
    ".likelihood": "gaussian_nll_loss kl_div poisson_nll_loss",
    ".linear_loss": "linear_cross_entropy",
    ".margin": """
        hinge_embedding_loss margin_ranking_loss multi_margin_loss multilabel_margin_loss
        multilabel_soft_margin_loss soft_margin_loss
    """,
    ".normalization": "batch_norm group_norm instance_norm layer_norm local_response_norm normalize rms_norm",
    ".regression": "binary_cross_entropy binary_cross_entropy_with_logits huber_loss l1_loss mse_loss smooth_l1_loss",
    ".resampling": "interpolate upsample upsample_bilinear upsample_nearest",
    ".sampling": "affine_grid grid_sample",
}
__getattr__, __dir__, __all__ = on_demand(__name__, HOMES)
