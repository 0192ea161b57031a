import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Connection, connect, serve } from '@trunkline/mcp'
import { type ContractExtension, contract } from '@trunkline/mcp/contract'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { all } from '../interop/revisions.ts'
import { everyMechanism } from './every-mechanism.ts'

type Mcp = Connection<typeof everyMechanism.offers, readonly [ContractExtension]>

const textOf = ({ content }: { readonly content: readonly unknown[] }) => (content[0] as { text?: string }).text

/** Uses each mechanism once, and says what came of it. */
async function tour(mcp: Mcp, name: string) {
  const key = { idempotencyKey: `key of ${name}` }
  const tools = await mcp.tools.list().all()
  const expects = tools.find((tool) => tool.name === 'publish')
  assert.ok(expects)
  const { effects, plan } = await mcp.tools.preview('publish', { name })
  const first = await mcp.tools.call('publish', { name }, { ...key, plan, expects })
  const again = await mcp.tools.call('publish', { name }, { ...key, plan, expects })
  const properties = { name: { type: 'number' } }
  const other = { ...expects, inputSchema: { type: 'object', properties, required: ['name'] } } as const
  const fields = await mcp.tools.call('publish', { name }, { want: { fields: ['/name'] } })
  const ended = await mcp.tools.call('end', {}, { want: { detail: 'brief' } })
  const watching = mcp.tools.call('watch', {}, { handle: name })
  await mcp.tools.signal(name, 'finish')
  const long = await mcp.tools.call('long', {})
  return {
    requires: mcp.requires,
    updates: mcp.updates,
    settings: await mcp.settings(),
    terms: expects._meta?.['dev.trunkline/contract'],
    preview: effects,
    key: [first.isRepeated, again.isRepeated, textOf(first) === textOf(again)],
    expects: await mcp.tools.call('publish', { name }, { expects: other }).catch((error: Error) => error.message),
    fields: textOf(fields),
    status: [ended.status, textOf(ended)],
    timeout: (await mcp.tools.call('late', {})).status,
    steps: (await mcp.tools.call('fail', {})).steps?.map(({ name: step, state }) => `${step} ${state}`),
    retry: (await mcp.tools.call('busy', {})).retry,
    where: textOf(await mcp.tools.call('where', {}, { cwd: '/tmp', deadlineMs: 60_000 })),
    signal: textOf(await watching),
    spilled: await mcp.tools.spilled(long)?.lines(1_000, 1_000),
  }
}

const promised = {
  requires: { env: ['TOKEN'] },
  updates: { by: 'host', from: 'npm:every' },
  settings: [{ name: 'region', from: 'default', value: 'eu' }],
  terms: {
    version: '2',
    deprecated: { until: '2030-01-01', instead: 'release' },
    effects: { writes: ['./dist/**'], network: ['registry.example'] },
    varies: ['state'],
    concurrency: { by: ['name'] },
    idempotent: 'by key',
    timeoutMs: 60_000,
    preview: true,
  },
  key: [undefined, true, true],
  expects:
    'Cannot call tool "publish": it is not what this caller was made for: input/name is string now, and was number',
  status: [{ code: 3, class: 'failed' }, 'brief'],
  timeout: { code: 124, class: 'timeout' },
  steps: ['one undone', 'two failed'],
  retry: { class: 'rateLimited', afterMs: 7 },
  where: '/tmp true',
  signal: 'finished',
  spilled: 'line\n',
}

/** The definition of a tool has no `_meta` here, so that what it declares is enforced but not listed. */
const withoutToolMeta: readonly string[] = ['2025-03-26', '2024-11-05']

const program = programFile(new URL('every-mechanism.ts', import.meta.url))
const extensions = [contract()] as const

for (const revision of all) {
  test(`contract [${revision}]: every mechanism works in memory, over stdio and over HTTP`, async () => {
    const options = { extensions, revisions: [revision] }
    await using http = await serve(everyMechanism, { http: '127.0.0.1:0' })
    const ways = {
      memory: () => connect(everyMechanism, options),
      stdio: () =>
        connect<typeof everyMechanism.offers, typeof extensions>(
          { command: process.execPath, args: [program] },
          options,
        ),
      http: () => connect<typeof everyMechanism.offers, typeof extensions>(new URL(http.url), options),
    }
    for (const [way, open] of Object.entries(ways)) {
      await using mcp = await open()
      const name = `${way} ${revision}`
      const terms = withoutToolMeta.includes(revision) ? undefined : promised.terms
      const expected = { ...promised, terms, preview: [`upload ${name}`], fields: JSON.stringify({ name }) }
      assert.deepEqual(await tour(mcp, name), expected, way)
    }
  })
}
