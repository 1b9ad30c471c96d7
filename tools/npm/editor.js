// What the editor of the live cells takes from prism-code-editor; `npm run editor` bundles it into one module.
export { createEditor } from "prism-code-editor";
export { defaultKeymap, editHistory, editorCommands } from "prism-code-editor/commands";
export { default as layout } from "prism-code-editor/layout.css";
import "prism-code-editor/prism/languages/python";
import "prism-code-editor/languages/python";
