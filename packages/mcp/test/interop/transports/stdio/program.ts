import { fileURLToPath } from 'node:url'
import { programFile } from '../../../../../../tools/lib/program-file.ts'

/** A program to start. */
export interface Program {
  readonly command: string
  readonly args: string[]
}

/** A server of this folder, in every revision or in those that are named. */
export function program(name: 'v1' | 'v2' | 'trunkline' | 'contract', ...revisions: string[]): Program {
  const start = fileURLToPath(new URL('start.ts', import.meta.url))
  const file = programFile(new URL(`${name}.ts`, import.meta.url))
  return { command: process.execPath, args: [start, file, ...revisions] }
}
