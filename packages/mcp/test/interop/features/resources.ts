import assert from 'node:assert/strict'
import { Mailbox } from '../../mailbox.ts'
import type { Change } from '../driver.ts'
import type { Feature } from '../feature.ts'

/** Features of resources. */
export const resources: readonly Feature[] = [
  {
    name: 'resources are listed',
    async verify(driver) {
      assert.deepEqual(await driver.resources(), ['cafe://menu', 'cafe://logo'])
    },
  },
  {
    name: 'text and bytes are read',
    async verify(driver) {
      const text = { uri: 'cafe://menu', mimeType: 'text/plain', text: 'espresso, cortado' }
      assert.deepEqual(await driver.read('cafe://menu'), [text])
      assert.deepEqual(await driver.read('cafe://logo'), [{ uri: 'cafe://logo', mimeType: 'image/png', blob: 'AQID' }])
    },
  },
  {
    name: 'a resource of a template is found and read',
    async verify(driver) {
      assert.deepEqual(await driver.templates(), ['cafe://cups/{size}'])
      assert.deepEqual(await driver.read('cafe://cups/small'), [{ uri: 'cafe://cups/small', text: 'a small cup' }])
    },
  },
  {
    name: 'reading what is not there is an error',
    async verify(driver) {
      await assert.rejects(driver.read('cafe://nothing'), ({ code }) => code === -32002 || code === -32602)
    },
  },
  {
    name: 'a resource is watched, and no longer',
    async verify(driver) {
      const changes = new Mailbox<Change>()
      const unwatch = await driver.watch({ uri: 'cafe://menu' }, changes.put)
      await driver.call('touch')
      assert.deepEqual(await changes.take(), { uri: 'cafe://menu' })
      await unwatch()
      await driver.call('touch')
      await driver.ping()
      assert.equal(changes.size, 0)
    },
  },
]
