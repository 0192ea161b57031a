/** A server that refuses requests without a token, and its authorization server. */

import { type DevServer, devServer } from '../../src/auth-dev-server.ts'
import { protect } from '../../src/auth-resource.ts'
import { type FetchHandler, type HttpOptions, toFetch } from '../../src/http.ts'
import { server } from '../../src/index.ts'
import type { ServerOptions } from '../../src/server.ts'
import { quiet } from '../fixtures/quiet.ts'

const form = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const

export const address = 'http://localhost/mcp'

/** Offers one of everything that takes a scope, and tells who calls; `served` counts what reached a handler. */
export function vault(options: Partial<ServerOptions> = {}) {
  const count = { served: 0 }
  const serving = <Value>(value: Value): Value => {
    count.served += 1
    return value
  }
  const scopes = ['vault:open', 'vault:take']
  const definition = server({ name: 'vault', ...quiet, ...options })
    .tool('whoami', {}, (_, { caller }) => serving({ ...caller }))
    .tool('take', { scopes }, () => serving('gold'))
    .tool('ask', {}, async (_, ctx) => {
      const { word } = await ctx.elicit('The word?', form, { key: 'word' })
      return serving(`You said ${word}`)
    })
    .prompt('persuade', { scopes, arguments: [{ name: 'guard' }], complete: { guard: () => serving(['Bo']) } }, () =>
      serving('Please'),
    )
    .resource('vault:inventory', { scopes }, () => serving('1 kg'))
    .template('vault:boxes/{number}', { scopes, complete: { number: () => serving(['7']) } }, () => serving('empty'))
  return { definition, count, scopes }
}

export interface Protected extends AsyncDisposable {
  readonly authorization: DevServer
  readonly handler: FetchHandler
  readonly count: { served: number }
  /** Headers of a caller who was given scopes. */
  as(subject: string, ...scopes: readonly string[]): Promise<{ authorization: string }>
}

/** Protects the vault, in one process. */
export async function protectedVault(options: HttpOptions = {}): Promise<Protected> {
  const authorization = await devServer({ warn: () => {} })
  const { definition, count } = vault()
  const handler = toFetch(definition, {
    auth: protect({ issuer: authorization.issuer, resource: address }),
    ...options,
  })
  return {
    authorization,
    handler,
    count,
    as: async (subject, ...scopes) => ({
      authorization: `Bearer ${await authorization.tokenFor({ subject, scopes, resources: [address] })}`,
    }),
    async [Symbol.asyncDispose]() {
      await definition.close()
      await authorization.close()
    },
  }
}
