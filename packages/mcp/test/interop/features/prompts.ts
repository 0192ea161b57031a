import assert from 'node:assert/strict'
import { said } from '../content.ts'
import type { Feature } from '../feature.ts'

/** Features of prompts and completion. */
export const prompts: readonly Feature[] = [
  {
    name: 'prompts are listed page by page',
    async verify(driver) {
      assert.deepEqual(await driver.promptPages(), [['greet', 'thank'], ['recommend']])
    },
  },
  {
    name: 'a prompt is filled in',
    async verify(driver) {
      assert.deepEqual(await driver.prompt('recommend', { mood: 'sad' }), [
        { role: 'user', content: said('What suits somebody who is sad?') },
      ])
    },
  },
  {
    name: 'arguments of prompts and templates are completed',
    async verify(driver) {
      assert.deepEqual(await driver.complete({ prompt: 'recommend' }, 'mood', 'h'), ['happy', 'hungry'])
      assert.deepEqual(await driver.complete({ template: 'cafe://cups/{size}' }, 'size', 's'), ['small'])
    },
  },
]
