/** Writes the addresses of all routes for pages and the command, which need no schema to send a request. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from './routes.ts'

/** The module of the addresses, as it is made of the routes. */
export function addressesModule(): string {
  const lines = Object.entries(routes).map(([name, { method, path }]) => `  ${name}: '${method} ${path}',`)
  return `// made of the routes by packages/host/src/api/write-addresses.ts
import type { RouteName } from './routes.ts'

/** Method and address of every route. */
export const addresses: { readonly [Name in RouteName]: string } = {
${lines.join('\n')}
}
`
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'addresses.ts'), addressesModule())
