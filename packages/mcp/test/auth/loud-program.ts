/** A program that authorizes in every way, works, fails, and prints all it can; its secrets come by standard input. */
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import {
  type Authorizer,
  clientCredentials,
  enterpriseManaged,
  fileSecrets,
  signIn,
  workloadIdentity,
} from '../../src/auth.ts'
import { connect } from '../../src/index.ts'
import { clientTelemetry } from '../../src/telemetry.ts'
import { allMetrics, takeSpans } from '../telemetry/sdk.ts'

/** Input of the program. */
export interface Told {
  readonly url: string
  readonly issuer: string
  readonly folder: string
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  readonly privateKey: string
  readonly assertion: string
  readonly identity: string
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const told: Told = JSON.parse((await lines.next()).value ?? '')
const { url, issuer, client } = told
const limits = { maxPauseMs: 0 }

const ways: { readonly [name: string]: Authorizer } = {
  signIn: signIn({ client, store: fileSecrets(told.folder), dpop: true, limits }),
  'signIn as anybody': signIn({ store: fileSecrets(`${told.folder}/anybody`), limits }),
  clientCredentials: clientCredentials({ ...client, dpop: true, limits }),
  'clientCredentials with a key': clientCredentials({ clientId: 'client', privateKey: told.privateKey, limits }),
  workloadIdentity: workloadIdentity({ ...client, assertion: () => told.assertion, limits }),
  enterpriseManaged: enterpriseManaged({
    ...client,
    identityProvider: { issuer, client, identity: () => ({ token: told.identity }) },
    limits,
  }),
}

for (const [name, auth] of Object.entries(ways)) {
  await work(auth)
    .then(() => console.log(`${name} is through`))
    .catch((error: unknown) => say(name, error))
  say(name, auth)
}
say('spans', takeSpans())
say('metrics', await allMetrics())
console.log('done')
await lines.next()

async function work(auth: Authorizer): Promise<void> {
  await using mcp = await connect(url as `http${string}`, {
    auth,
    http: { fetch: asking },
    use: [clientTelemetry()],
  })
  for (const tool of ['tell', 'fail', 'crash', 'guarded', 'missing']) {
    say(tool, await mcp.tools.call(tool, {}).catch((error: unknown) => error))
  }
  say('client', mcp)
}

function asking(address: string, init: RequestInit): Promise<Response> {
  console.log('asks', address)
  return fetch(address, init)
}

/** Prints a thing in every form that it may be printed in. */
function say(what: string, thing: unknown): void {
  console.log(what, inspect(thing, { depth: 10, showHidden: true }), json(thing))
  for (let at = thing; at instanceof Error; at = at.cause) console.error(at.message, at.stack, { ...at })
}

function json(thing: unknown): string {
  const seen = new Set()
  return JSON.stringify(thing, (_, value) => {
    if (typeof value !== 'object' || value === null) return value
    if (seen.has(value)) return undefined
    seen.add(value)
    return value
  })
}
