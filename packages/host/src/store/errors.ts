/** Problem of the store; branch on this. */
export type StoreErrorCode = 'Locked' | 'Newer' | 'NotOurs' | 'ReadOnly' | 'Full' | 'Corrupt' | 'Unusable' | 'Closed'

/** Error that says why the store cannot be opened or written, and what to do about it. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The error for the person, from one that SQLite or the file system threw; others are returned as they are. */
export function storeError(error: unknown, path: string, owner?: string): unknown {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  if (code === undefined) return error
  return new StoreError(code, `Cannot use "${path}": ${sentences[code](owner)}`, { cause: error })
}

const elsewhere = 'or set TRUNKLINE_HOME to another folder'

const sentences = {
  Locked: (owner = 'another process') => `${owner} is using it; stop that one, ${elsewhere}`,
  ReadOnly: () => `the file or its folder is read-only; make both writable, ${elsewhere}`,
  Full: () => `the disk is full or the size limit is reached; free some space, everything acknowledged so far is kept`,
  Corrupt: () => `the file is damaged or no SQLite database; move it away to start empty, or put a backup in its place`,
  Unusable: () => `it cannot be opened or read; check the path, its owner and the disk, ${elsewhere}`,
} as const

/** By the primary result code of SQLite. @see https://sqlite.org/rescode.html */
const bySqlite: { readonly [code: number]: keyof typeof sentences } = {
  3: 'ReadOnly',
  5: 'Locked',
  6: 'Locked',
  8: 'ReadOnly',
  10: 'Unusable',
  11: 'Corrupt',
  13: 'Full',
  14: 'Unusable',
  26: 'Corrupt',
}

/** By the extended code, if it says more: a failure while a file grows is a quota or a limit. */
const byExtendedSqlite: { readonly [code: number]: keyof typeof sentences } = {
  778: 'Full', // a write
  1034: 'Full', // a sync, which is when some disks notice
  1546: 'Full', // another length
  4874: 'Full', // a longer index of the write-ahead log
}

const byFileSystem: { readonly [code: string]: keyof typeof sentences } = {
  EACCES: 'ReadOnly',
  EPERM: 'ReadOnly',
  EROFS: 'ReadOnly',
  ENOSPC: 'Full',
  EDQUOT: 'Full',
  EFBIG: 'Full',
  EISDIR: 'Unusable',
  ENOTDIR: 'Unusable',
  EEXIST: 'Unusable',
  EIO: 'Unusable',
  ELOOP: 'Unusable',
  ENAMETOOLONG: 'Unusable',
}

function codeOf(error: unknown): keyof typeof sentences | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // the low byte is the primary code, the rest says which kind of it
  if (typeof errcode === 'number') return byExtendedSqlite[errcode] ?? bySqlite[errcode & 0xff]
  return typeof code === 'string' ? byFileSystem[code] : undefined
}
