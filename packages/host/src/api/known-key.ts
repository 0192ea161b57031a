import type { ApiParts } from './parts.ts'

/** The key of a server by its name; the name itself where no server, or more than one, has it. */
export function knownKey({ keyOf }: Pick<ApiParts, 'keyOf'>, server: string): string {
  try {
    return keyOf(server)
  } catch {
    return server
  }
}
