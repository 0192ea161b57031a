import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type LogMessage, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../fixtures/quiet.ts'
import { Mailbox } from '../mailbox.ts'

const newsroom = () =>
  server({ name: 'news', ...quiet })
    .resource('test:news', {}, () => 'news')
    .resource('test:gone', {}, () => 'gone')
    .tool('log', {}, async (_, ctx) => {
      await ctx.log('info', 'too much')
      await ctx.log('error', 'enough')
      return 'logged'
    })

for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
  test(`renew: in ${revision} watches and the log level are those of before`, async () => {
    const definition = newsroom()
    await using listening = await serveHttp(definition)
    const logs: LogMessage[] = []
    const changes = new Mailbox<string>()
    let session = ''
    await using mcp = await connect(new URL(listening.url), {
      revisions: [revision],
      onLog: (message) => logs.push(message),
      http: {
        fetch: (url, init) => {
          session = init.headers['mcp-session-id'] ?? session
          return fetch(url, init)
        },
      },
    })
    await mcp.setLogLevel('error')
    await mcp.watch({ uris: ['test:news'] }, (change) => changes.put(change.kind))
    const gone = await mcp.watch({ uris: ['test:gone'] }, () => assert.fail('it was given up'))
    await gone.close()
    const { status } = await fetch(listening.url, { method: 'DELETE', headers: { 'mcp-session-id': session } })
    assert.equal(status, 200)
    const lost = session
    await mcp.tools.list().all()
    assert.notEqual(session, lost)
    definition.resources.updated('test:gone')
    definition.resources.updated('test:news')
    assert.equal(await changes.take(), 'resource')
    await mcp.tools.call('log', {})
    assert.deepEqual(
      logs.map(({ data }) => data),
      ['enough'],
    )
  })
}
