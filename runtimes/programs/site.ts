/** Serves a definition of its own at every path, and checks it with the client from the same runtime. */
import { type FetchHandler, toFetch } from '@trunkline/mcp/http'
import { checks } from '../../packages/mcp/test/runtimes/checks.ts'
import { definition, options } from '../../packages/mcp/test/runtimes/definition.ts'

/** Result of the checks. */
export interface Report {
  readonly passed: number
  readonly failures: readonly string[]
}

/** Remembers what was made for each path. */
export function perPath<Made>(make: () => Made): (path: string) => Made {
  const made = new Map<string, Made>()
  return (path) => {
    const found = made.get(path) ?? make()
    made.set(path, found)
    return found
  }
}

const handlers = perPath<FetchHandler>(() => toFetch(definition(), options))

/** Answers a request the way Bun, Deno and Workers want it. */
export function serve(request: Request): Promise<Response> {
  return handlers(new URL(request.url).pathname)(request)
}

/** Runs every check but those that a runtime cannot pass, one after the other, against a server at this port. */
export async function check(port: number, unable: readonly string[] = []): Promise<Report> {
  const failures: string[] = []
  const able = Object.entries(checks).filter(([name]) => !unable.includes(name))
  for (const [at, [name, run]] of able.entries()) {
    try {
      await run({ url: `http://127.0.0.1:${port}/${at}` })
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? (error.stack ?? error) : error}`)
    }
  }
  return { passed: able.length - failures.length, failures }
}
