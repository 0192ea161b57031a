import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseUnknownLimits, resolveLimits } from './resolve-limits.ts'

const defaults = { maxPages: 100, maxItems: 10_000 } as const

test('resolveLimits: the default where nothing was given, undefined included', () => {
  assert.deepEqual(resolveLimits(defaults, undefined), defaults)
  assert.deepEqual(resolveLimits(defaults, { maxPages: 3, maxItems: undefined }), { maxPages: 3, maxItems: 10_000 })
  assert.equal(resolveLimits(defaults, { maxPages: Number.POSITIVE_INFINITY }).maxPages, Number.POSITIVE_INFINITY)
})

test('resolveLimits: refuses what is no number', () => {
  for (const wrong of [Number.NaN, -1, '3', null]) {
    assert.throws(() => resolveLimits(defaults, { maxPages: wrong }), {
      code: 'Misuse',
      message: /^Cannot set "limits.maxPages" to .*: give a number that is not negative$/,
    })
  }
})

test('refuseUnknownLimits: names the near one', () => {
  refuseUnknownLimits({ maxPages: 1, maxFiles: 1 }, defaults, { maxFiles: 1 })
  assert.throws(() => refuseUnknownLimits({ maxPage: 1 }, defaults), {
    code: 'Misuse',
    message: 'Cannot set "limits.maxPage": no such limit here; did you mean "maxPages"?',
  })
})
