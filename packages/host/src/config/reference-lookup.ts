import type { ReferenceLookup } from './interpolate.ts'
import type { ServerContext } from './resolve-server.ts'

/** Lookup of the references in a part of the settings; its secrets are read once. */
export async function lookupFor(
  entry: unknown,
  { environment, secrets, home, workspace }: ServerContext,
): Promise<ReferenceLookup> {
  const found = new Map<string, string>()
  for (const [, name = ''] of JSON.stringify(entry).matchAll(/secret:([A-Za-z0-9_.-]+)/g)) {
    const value = await secrets.get(name)
    if (value !== undefined) found.set(name, value)
  }
  return {
    variable: (name) => (Object.hasOwn(environment, name) ? environment[name] : undefined),
    input: () => undefined,
    secret: (name) => found.get(name),
    workspace,
    home,
  }
}
