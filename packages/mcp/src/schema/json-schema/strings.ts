import type { Keyword } from './draft.ts'
import { expectCount, expectString } from './expect-keyword.ts'
import { count, shorten } from './message-words.ts'
import type { Run } from './validation-run.ts'

export const minLength: Keyword = (site) => {
  const limit = expectCount(site, 'minLength')
  const message = `must have at least ${count(limit, 'character')}`
  return (value, run) => {
    if (typeof value !== 'string' || value.length >= 2 * limit) return true
    return (value.length >= limit && countCharacters(value, run) >= limit) || run.fail(message)
  }
}

export const maxLength: Keyword = (site) => {
  const limit = expectCount(site, 'maxLength')
  const message = `must have at most ${count(limit, 'character')}`
  return (value, run) => {
    if (typeof value !== 'string' || value.length <= limit) return true
    return (value.length <= 2 * limit && countCharacters(value, run) <= limit) || run.fail(message)
  }
}

export const pattern: Keyword = (site) => {
  const source = expectString(site, 'pattern')
  const matches = site.pattern(source)
  const message = `must match the pattern ${shorten(source)}`
  return (value, run) => typeof value !== 'string' || matches(value, run) || run.fail(message)
}

/** Counts code points, where the length in UTF-16 leaves the answer open. */
function countCharacters(text: string, run: Run): number {
  run.pay(text.length >> 4)
  let characters = text.length
  for (let index = 1; index < text.length; index++)
    if (isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1))) characters--
  return characters
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
