/** Where a parameter travels. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** A parameter of an operation. */
export interface ApiParameter {
  /** As the API calls it. */
  readonly name: string
  /** As the tool's argument is called. */
  readonly argument: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly description?: string
  readonly schema: unknown
  readonly style?: string
  readonly explode?: boolean
}

/** What an operation takes as its body. */
export interface ApiBody {
  readonly mediaType: string
  readonly schema: unknown
  readonly required: boolean
  /** The members that are files; they come as base64. */
  readonly files?: readonly string[]
}

/** One operation of an API. */
export interface ApiOperation {
  /** The name of its tool. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly isDeprecated: boolean
  readonly parameters: readonly ApiParameter[]
  readonly body?: ApiBody
  /** The schema of what it answers when all goes well, if that is JSON. */
  readonly answer?: unknown
  /** The ways to show who calls, each a set of schemes; none when nobody has to. */
  readonly security: readonly (readonly string[])[]
}
