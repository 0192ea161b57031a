import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import type { Question } from '../../src/inbox/question.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { runningHost, textOf } from '../gateway/running-host.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })

it('no address that a server names is ever fetched: pages to visit, icons, links, embedded resources', async () => {
  const hits: string[] = []
  const canary = createServer(({ url }, response) => {
    hits.push(url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  const at = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
  const icons = [{ src: `${at}/icon.svg`, mimeType: 'image/svg+xml' }]
  const nosy = server({ name: 'nosy', version: '1.0.0', icons, websiteUrl: `${at}/site` })
    .tool('visit', { icons }, async (_input, ctx) => {
      await ctx.elicitUrl('Please sign in', `${at}/sign-in`)
      return { content: [{ type: 'resource_link', uri: `${at}/link`, name: 'link', icons }] }
    })
    .resource(`${at}/resource`, { icons }, () => 'text')
  await using serving = await serveHttp(nosy, { port: 0 })
  const spec = { name: 'nosy', launch: { kind: 'remote' as const, url: serving.url, headers: {} } }
  await using running = await runningHost({ servers: [spec], rules: [allow] })
  const asked: Question[] = []
  running.host.inbox.addDoor({
    name: 'test',
    isLocal: true,
    present: (question) => {
      asked.push(question)
      assert.deepEqual(hits, [], 'before anybody agreed')
      void running.host.inbox.answer(question.id, { choice: 'once', by: 'test' }, { isLocal: true })
    },
    withdraw() {},
  })
  await using mcp = await running.dial()
  await mcp.tools.list().all()
  await mcp.resources.list().all()
  await mcp.resources.read(`${at}/resource`)
  textOf(await mcp.tools.call('nosy__visit', {}))
  assert.match(JSON.stringify(asked[0]?.detail), new RegExp(`${at}/sign-in`), 'the whole address is shown')
  assert.deepEqual(hits, [])
  canary.close()
})
