/** Runs in the sandbox of the page before the page does. */
import { contextBridge, ipcRenderer } from "electron";
import * as z from "zod/mini";
import { createPageEnd } from "./page-end.ts";

// The content security policy of the page refuses compiled schemas.
z.config({ jitless: true });

contextBridge.exposeInMainWorld("parleyDesktop", createPageEnd(ipcRenderer, process.platform));
