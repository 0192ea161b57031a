/** Folders that no confined program sees, whatever a person decided about it. */
export interface Concealed {
  readonly folders: readonly string[]
  /** What is in those folders and has to be seen all the same, such as installed programs. */
  readonly except: readonly string[]
}

/** How a program is confined, as a person decided it. */
export interface SandboxSettings {
  /** The only paths that it can write, absolute, with all that is below them. */
  readonly writable: readonly string[]
  /** Whether it can reach the network. @default true */
  readonly network?: boolean
  /** What confines it. @default bubblewrap where it works, else Node's permission model */
  readonly by?: 'bubblewrap' | 'node'
  /** Whether it is not started where nothing can confine it. @default false: it runs, and its status says so */
  readonly required?: boolean
}
