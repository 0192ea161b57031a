import type { DatabaseSync } from 'node:sqlite'
import { McpError } from '../../wire/errors.ts'

/** The part of `node:sqlite` that is used here. */
export interface Sqlite {
  readonly DatabaseSync: typeof DatabaseSync
}

/** Loads `node:sqlite` when a file is opened, and not before; throws where the runtime does not have it. */
export function loadSqlite(): Sqlite {
  const sqlite = process.getBuiltinModule?.('node:sqlite')
  if (sqlite) return sqlite
  const { bun, deno, node } = process.versions as { [runtime: string]: string | undefined }
  const here = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`
  const fix = 'use Node 22.13 or newer'
  throw new McpError('Unsupported', `Cannot open a store in a file: ${here} has no "node:sqlite"; ${fix}`)
}
