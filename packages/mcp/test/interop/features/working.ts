import assert from 'node:assert/strict'
import { gate } from '../../gate.ts'
import { firstText } from '../content.ts'
import type { Feature } from '../feature.ts'

/** Features around the others: greeting, progress, cancelling, logging, signs of life. */
export const working: readonly Feature[] = [
  {
    name: 'the server introduces itself',
    async verify({ instructions }) {
      assert.equal(instructions, 'Be polite')
    },
  },
  {
    name: 'progress arrives while the tool works',
    async verify(driver) {
      const steps: unknown[] = []
      const poured = gate()
      const onProgress = ({ progress, total }: { progress: number; total?: number | undefined }): void => {
        steps.push([progress, total])
        if (progress === 3) poured.open()
      }
      const call = driver.call('steps', {}, { onProgress })
      await poured.promise
      await driver.call('finish')
      assert.equal(firstText(await call), 'served')
      assert.deepEqual(steps, [
        [1, 3],
        [2, 3],
        [3, 3],
      ])
    },
  },
  {
    name: 'an abort reaches the handler',
    async verify(driver) {
      const stop = new AbortController()
      const call = driver.call('hang', {}, { signal: stop.signal, onProgress: () => stop.abort() })
      await assert.rejects(call)
      assert.equal(firstText(await driver.call('aborted')), 'aborted')
    },
  },
  {
    name: 'log messages arrive from the level that was asked for',
    async verify(driver) {
      await driver.call('log')
      const { level, data, logger } = await driver.logs.take()
      assert.deepEqual({ level, data, logger }, { level: 'warning', data: 'low on milk', logger: 'kitchen' })
      assert.equal(driver.logs.size, 0)
    },
  },
  {
    name: 'the server answers a sign of life',
    async verify(driver) {
      await driver.ping()
    },
  },
  {
    name: 'the client answers a sign of life',
    until: '2025-11-25',
    by: 'theirs',
    async verify(driver) {
      assert.equal(firstText(await driver.call('ping-back')), '{}')
    },
  },
]
