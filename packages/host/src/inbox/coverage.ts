/** A tool that an answer covers, pinned to the definition that the person accepted. */
export interface CoveredTool {
  readonly name: string
  readonly definition: string
}

/** A client that an answer covers, by its identity; another one of the same name is not covered. */
export interface CoveredClient {
  readonly id: string
  readonly name: string
}

/** Tools and clients that a person chose to cover with one answer, each as it was at that time. */
export interface Coverage {
  /** Tools of the server that write. @default the tool that was asked about */
  readonly tools?: readonly CoveredTool[]
  /** Clients of the person. @default the client that asked */
  readonly clients?: readonly CoveredClient[]
}

/** The scope of a grant by its names. */
export interface CoveredNames {
  readonly server: string
  /** Undefined for all tools but those that destroy. */
  readonly tools: readonly string[] | undefined
  readonly clients: readonly string[]
  readonly project?: string | undefined
}

/** The scope of a grant as a sentence for people and for the ledger; every tool and client is named. */
export function coverageInWords({ server, tools, clients, project }: CoveredNames): string {
  const what = tools === undefined ? 'every tool that does not destroy' : tools.join(', ')
  const where = project === undefined ? '' : `, in ${project}`
  return `${what} of "${server}", for ${clients.join(', ')}${where}`
}
