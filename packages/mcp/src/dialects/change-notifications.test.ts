import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchedLists } from '../model/features.ts'
import { vocabularies } from '../wire/vocabulary-table.ts'
import { isAnnounced } from './change-notifications.ts'

test('isAnnounced: a change is announced only in revisions that have its notification', () => {
  for (const vocabulary of vocabularies.values()) {
    const without = { ...vocabulary, server: { ...vocabulary.server, notifications: new Map() } }
    for (const { kind, notification } of watchedLists) {
      const isThere = vocabulary.server.notifications.has(notification)
      assert.equal(isAnnounced(kind, vocabulary), isThere, `${kind} in ${vocabulary.revision}`)
      assert.equal(isAnnounced(kind, without), false)
    }
  }
})
