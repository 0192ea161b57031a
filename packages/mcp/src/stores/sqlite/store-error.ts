import { McpError } from '../../wire/errors.ts'

/** Converts an error of SQLite or the file system for the operator; others are returned unchanged. */
export function storeError(error: unknown, path: string): unknown {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // the low byte is the primary code, the rest says which kind of it
  const why = typeof errcode === 'number' ? bySqlite[errcode & 0xff] : byFileSystem[String(code)]
  return why === undefined ? error : new McpError('Store', `Cannot use "${path}": ${why}`, { cause: error })
}

const locked =
  'another process is using it, and one file is for one process; stop that one, or give this one another file'
const readOnly = 'the file or its folder is read-only; make both writable'
const full = 'the disk is full, or "limits.maxFileBytes" is reached; everything kept so far is still there'
const notOurs = 'the file is damaged, or it is no SQLite database; move it away to start empty, or restore a backup'
const unusable = 'it cannot be opened or read; check the path, its owner and the disk'

/** By the primary result code of SQLite. @see https://sqlite.org/rescode.html */
const bySqlite: { readonly [code: number]: string } = {
  3: readOnly,
  5: locked,
  6: locked,
  8: readOnly,
  10: unusable,
  11: notOurs,
  13: full,
  14: unusable,
  26: notOurs,
}

const byFileSystem: { readonly [code: string]: string } = {
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  ENOSPC: full,
  EDQUOT: full,
  EISDIR: unusable,
  ENOENT: unusable,
  ENOTDIR: unusable,
  EEXIST: unusable,
  EIO: unusable,
  ELOOP: unusable,
  ENAMETOOLONG: unusable,
}
