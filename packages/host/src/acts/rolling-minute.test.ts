import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RollingMinute } from './rolling-minute.ts'

describe('RollingMinute', () => {
  it('counts the last minute and forgets second by second', () => {
    const minute = new RollingMinute()
    for (const at of [0, 500, 1_000, 30_000]) minute.add(at)
    assert.equal(minute.at(59_999), 4)
    assert.equal(minute.secondsUntilLess(59_999), 1)
    assert.equal(minute.at(60_000), 2)
    assert.equal(minute.at(61_000), 1)
    assert.equal(minute.secondsUntilLess(61_000), 29)
    assert.equal(minute.at(89_999), 1)
    assert.equal(minute.at(90_000), 0)
  })

  it('is empty after any pause, however long', () => {
    for (const pauseMs of [60_000, 61_000, 119_000, 7_777_777]) {
      const minute = new RollingMinute()
      for (let at = 0; at < 60_000; at += 500) minute.add(at)
      assert.equal(minute.at(59_500 + pauseMs), 0, String(pauseMs))
      minute.add(59_500 + pauseMs)
      assert.equal(minute.at(59_500 + pauseMs), 1)
    }
  })
})
