/** Place of a parameter in a request. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** A parameter of an operation. */
export interface ApiParameter {
  /** Name in the API. */
  readonly name: string
  /** Name of the tool's argument. */
  readonly argument: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly description?: string
  readonly schema: unknown
  readonly style?: string
  readonly explode?: boolean
}

/** Body that an operation takes. */
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
  /** Alternative sets of security schemes; empty if the operation needs none. */
  readonly security: readonly (readonly string[])[]
}
