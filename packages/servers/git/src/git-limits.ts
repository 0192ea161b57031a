/** Limits of one call on a repository. */
export interface GitLimits {
  /** Bytes of one answer of git that are read. */
  readonly maxOutputBytes: number
  /** Milliseconds that git may take for a call that stays on this machine. */
  readonly maxLocalMs: number
  /** Milliseconds that git may take to fetch or push. */
  readonly maxRemoteMs: number
  /** Milliseconds that a hook may take. */
  readonly maxHookMs: number
  /** Commits that a filtered list looks at. */
  readonly maxWalkedCommits: number
  /** Paths of each kind in a status. */
  readonly maxStatusPaths: number
  /** Entries of a repository's own folder that are looked at for links. */
  readonly maxCheckedEntries: number
  /** Repositories that are named by resources. */
  readonly maxRepositories: number
}

export const gitLimits: GitLimits = {
  maxOutputBytes: 16 * 1024 ** 2,
  maxLocalMs: 30_000,
  maxRemoteMs: 120_000,
  maxHookMs: 300_000,
  maxWalkedCommits: 5_000,
  maxStatusPaths: 100,
  maxCheckedEntries: 20_000,
  maxRepositories: 100,
}
