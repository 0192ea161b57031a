import assert from 'node:assert/strict'
import { Mailbox } from '../../mailbox.ts'
import { firstText, said } from '../content.ts'
import type { Change } from '../driver.ts'
import type { Feature } from '../feature.ts'

/** Features of tools. */
export const tools: readonly Feature[] = [
  {
    name: 'tools are listed to the last page',
    async verify(driver) {
      const names = await driver.tools()
      for (const name of ['add', 'fail', 'show', 'grow']) assert.ok(names.includes(name), `${name} is not listed`)
      assert.equal(new Set(names).size, names.length)
    },
  },
  {
    name: 'a tool is called',
    async verify(driver) {
      const { content, isError } = await driver.call('add', { a: 2, b: 3 })
      assert.deepEqual(content, [said('{"sum":5}')])
      assert.ok(!isError)
    },
  },
  {
    name: 'a tool returns structured content',
    since: '2025-06-18',
    async verify(driver) {
      assert.deepEqual((await driver.call('add', { a: 2, b: 3 })).structuredContent, { sum: 5 })
    },
  },
  {
    name: 'a tool returns content of several kinds',
    async verify(driver) {
      assert.deepEqual((await driver.call('show')).content, [
        said('a cup'),
        { type: 'image', data: 'AQID', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'cafe://menu', mimeType: 'text/plain', text: 'espresso, cortado' } },
      ])
    },
  },
  {
    name: 'a tool returns sound',
    since: '2025-03-26',
    async verify(driver) {
      const { content } = await driver.call('hear')
      assert.deepEqual(content, [{ type: 'audio', data: 'BAUG', mimeType: 'audio/wav' }])
    },
  },
  {
    name: 'a tool that fails says so in its result',
    async verify(driver) {
      const result = await driver.call('fail')
      assert.equal(result.isError, true)
      assert.match(String(firstText(result)), /the machine is broken/)
    },
  },
  {
    name: 'bad arguments are refused, by a result or by an error',
    async verify(driver) {
      const outcome = await driver.call('add', { a: 'two' }).catch(({ code }) => ({ isError: code === -32602 }))
      assert.equal(outcome.isError, true)
    },
  },
  {
    name: 'a change of the list of tools is told',
    async verify(driver) {
      const changes = new Mailbox<Change>()
      const unwatch = await driver.watch('tools', changes.put)
      assert.equal((await driver.tools()).includes('grown'), false)
      await driver.call('grow')
      assert.equal(await changes.take(), 'tools')
      assert.ok((await driver.tools()).includes('grown'))
      await unwatch()
    },
  },
  {
    name: 'many calls at once each get their own answer',
    async verify(driver) {
      const sums = await Promise.all(Array.from({ length: 50 }, (_, n) => driver.call('add', { a: n, b: 1000 })))
      assert.deepEqual(
        sums.map(firstText),
        sums.map((_, n) => `{"sum":${n + 1000}}`),
      )
    },
  },
]
