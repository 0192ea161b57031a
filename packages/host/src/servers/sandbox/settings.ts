/** Folders that no confined program sees, whatever a person decided about it. */
export interface Concealed {
  readonly folders: readonly string[]
  /** Paths in those folders that have to be seen all the same, such as installed programs. */
  readonly except: readonly string[]
}

/** Confinement of a program, as a person decided it. */
export interface SandboxSettings {
  /** The only paths that it can write, absolute, with all that is below them. */
  readonly writable: readonly string[]
  /** True if it can reach the network. @default true */
  readonly network?: boolean
  /** Mechanism that confines it. @default bubblewrap where it works, else Node's permission model */
  readonly by?: 'bubblewrap' | 'node'
  /** True to refuse the start if nothing can confine it. @default false: it runs, and its status says so */
  readonly required?: boolean
}
