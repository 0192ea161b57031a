import assert from 'node:assert/strict'
import { firstText, said } from '../content.ts'
import type { Feature } from '../feature.ts'

/** Features by which a server asks a client. */
export const asking: readonly Feature[] = [
  {
    name: 'the user is asked for input',
    since: '2025-06-18',
    async verify(driver) {
      assert.equal(firstText(await driver.call('ask')), 'with milk')
    },
  },
  {
    name: 'the user is asked to visit a page',
    since: '2025-11-25',
    async verify(driver) {
      assert.equal(firstText(await driver.call('visit')), 'paid')
    },
  },
  {
    name: 'the model of the client is asked',
    async verify(driver) {
      assert.equal(firstText(await driver.call('think')), JSON.stringify(said('yes')))
    },
  },
  {
    name: 'one call asks the user and then the model',
    since: '2025-06-18',
    by: 'ours',
    async verify(driver) {
      assert.equal(firstText(await driver.call('ask-twice')), JSON.stringify(said('yes')))
    },
  },
  {
    name: 'the roots of the client are asked for',
    async verify(driver) {
      assert.equal(firstText(await driver.call('where')), 'file:///cafe')
    },
  },
]
