/** The tools of a server as types: the arguments each takes, and the structured value it returns. */
export interface ToolTypes {
  readonly [name: string]: { readonly input: unknown; readonly output: unknown }
}

/** The prompts of a server as types: the arguments each takes. */
export interface PromptTypes {
  readonly [name: string]: unknown
}

/** Types of a server's offers; a client of an unknown server takes any name and any arguments. */
export interface ServerTypes {
  readonly tools: ToolTypes
  readonly prompts: PromptTypes
}
