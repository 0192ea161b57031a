import { fileURLToPath } from 'node:url'

/** The folder into which the console is built; the host serves it. */
export const consoleFolder: string = fileURLToPath(new URL('../dist', import.meta.url))
