// One file for both uses of the viewer: otherwise the build would put what they share into the file of all lazy parts.
export { ChatViewer } from "./chat-viewer.tsx";
export { PictureViewer } from "./viewer.tsx";
