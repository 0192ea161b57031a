/** Limits of one call on the disk. */
export interface FilesLimits {
  /** Bytes of one file that are read at once. */
  readonly maxReadBytes: number
  /** Lines that are read at once unless the caller says how many. */
  readonly maxReadLines: number
  /** Bytes of one file that is written. */
  readonly maxWriteBytes: number
  /** Entries of a listing. */
  readonly maxEntries: number
  /** Files and directories that a search looks at. */
  readonly maxWalkedEntries: number
  /** Bytes of a file that a search looks into; larger files are named and left out. */
  readonly maxSearchedBytes: number
  /** Matches that a search returns. */
  readonly maxMatches: number
  /** Resources that are looked at for changes. */
  readonly maxWatchedFiles: number
}

export const filesLimits: FilesLimits = {
  maxReadBytes: 4 * 1024 ** 2,
  maxReadLines: 2_000,
  maxWriteBytes: 16 * 1024 ** 2,
  maxEntries: 1_000,
  maxWalkedEntries: 100_000,
  maxSearchedBytes: 4 * 1024 ** 2,
  maxMatches: 200,
  maxWatchedFiles: 1_000,
}
