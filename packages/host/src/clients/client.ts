/** A fact about a client, with its source and the day it was read. */
export interface Fact<T> {
  readonly value: T
  readonly source: string
  /** The day of the revision that was read; for a page that shows none, the day of reading. */
  readonly on: string
}

/** The clients whose configuration is read and written. */
export type ClientId =
  | 'claude-code'
  | 'claude-desktop'
  | 'vscode'
  | 'cursor'
  | 'codex'
  | 'gemini-cli'
  | 'windsurf'
  | 'opencode'
  | 'zed'
  | 'cline'
  | 'junie'
  | 'copilot-cli'

/** Format of a client's file. */
export type FormatId =
  | 'mcp-json'
  | 'claude-code'
  | 'claude-desktop'
  | 'claude-settings'
  | 'vscode'
  | 'cursor'
  | 'cursor-permissions'
  | 'codex'
  | 'gemini-cli'
  | 'windsurf'
  | 'opencode'
  | 'zed'
  | 'cline'
  | 'junie'
  | 'copilot-cli'
  | 'copilot-settings'

/** Reach of a file: all of a person's work, all people of a project, or one person in one project. */
export type Scope = 'user' | 'project' | 'local'

/** A file that a client reads. */
export interface ClientFile {
  readonly scope: Scope
  readonly format: FormatId
  /** From `~` or `%VARIABLE%` for the user's files, relative to the project for others; one for all platforms or one each. */
  readonly path: string | { readonly [platform in 'linux' | 'darwin' | 'win32']?: string }
  /** A variable of the environment that moves a folder or the file elsewhere; of several, the first that is set counts. */
  readonly moved?: MovedPath | readonly MovedPath[]
  /** Set for the place of earlier versions, which counts only while the file before it is missing. @default false */
  readonly isFormer?: boolean
}

/** A variable of the environment, and the part of a path that its value stands for. */
export interface MovedPath {
  readonly variable: string
  readonly instead: string
}

/** A change to a file that makes a client stop asking before it calls one server's tools. */
export interface PromptOff {
  /** The server's own entry, or a file beside it. */
  readonly where: 'entry' | { readonly path: string; readonly format: 'json' }
  /** The keys that lead to the value; `{server}` stands for the name of the entry. */
  readonly keys: readonly string[]
  /** Value that is set there, or added to the list there. */
  readonly value: string | boolean
  readonly adds: boolean
}

/** Facts about a client; unknown ones are undefined. */
export interface KnownClient {
  readonly id: ClientId
  readonly title: string
  /** Files that it reads. */
  readonly files: Fact<readonly ClientFile[]>
  /** Prefix that it puts before a tool's name; `{server}` stands for the name of the entry. */
  readonly toolPrefix: Fact<string> | undefined
  /** The longest name it takes, with the prefix. */
  readonly maxNameLength: Fact<number> | undefined
  /** Number of tools that it offers to its model at once. */
  readonly maxTools: Fact<number> | undefined
  /** Its timeout of a call. */
  readonly callTimeoutMs: Fact<number> | undefined
  /** True if progress extends the timeout. */
  readonly progressExtends: Fact<boolean> | undefined
  /** True if it reads lists again when told that they changed. */
  readonly listChanges: Fact<boolean> | undefined
  /** The kinds of questions that it can put to a person for a server. */
  readonly elicitation: Fact<readonly ('form' | 'url')[]> | undefined
  /** True if it has a search of its own for tools. */
  readonly searchesTools: Fact<boolean> | undefined
  /** True if it asks a person before it calls a tool. */
  readonly asksFirst: Fact<boolean> | undefined
  /** Setting that turns its question off for one server, if a file can do that. */
  readonly promptOff: Fact<PromptOff> | undefined
}
