import { OAuthError } from './responses.ts'

/** The parameters of a request; only `resource` may be repeated. */
export class RequestParameters {
  readonly #given: URLSearchParams

  constructor(given: URLSearchParams) {
    const names = [...given.keys()].filter((name) => name !== 'resource')
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) throw new OAuthError('invalid_request', `"${twice}" is there more than once`)
    this.#given = given
  }

  /** The value of a parameter; an empty one counts as missing. */
  get(name: string): string | undefined {
    return this.#given.get(name) || undefined
  }

  need(name: string): string {
    const value = this.get(name)
    if (value === undefined) throw new OAuthError('invalid_request', `"${name}" is missing`)
    return value
  }

  /** The resources that a token is requested for. @see https://www.rfc-editor.org/rfc/rfc8707 */
  resources(): readonly string[] {
    const resources = this.#given.getAll('resource')
    if (resources.every((resource) => URL.canParse(resource) && !resource.includes('#'))) return resources
    throw new OAuthError('invalid_target', '"resource" is not the address of a server')
  }
}
