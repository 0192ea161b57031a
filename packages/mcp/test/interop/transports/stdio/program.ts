import { fileURLToPath } from 'node:url'

/** A program to start. */
export interface Program {
  readonly command: string
  readonly args: string[]
}

/** A server of this folder, in every revision or in those that are named. */
export function program(name: 'v1' | 'v2' | 'trunkline' | 'contract', ...revisions: string[]): Program {
  const path = fileURLToPath(new URL('start.ts', import.meta.url))
  return { command: process.execPath, args: [path, name, ...revisions] }
}
