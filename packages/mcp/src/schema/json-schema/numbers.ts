import type { Keyword } from './draft.ts'
import { expectNumber, refuseSchema } from './expect-keyword.ts'
import { isMultiple } from './multiple-of.ts'

export const minimum: Keyword = (site) => {
  const limit = expectNumber(site, 'minimum')
  const message = `must be at least ${limit}`
  return (value, run) => typeof value !== 'number' || value >= limit || run.fail(message)
}

export const maximum: Keyword = (site) => {
  const limit = expectNumber(site, 'maximum')
  const message = `must be at most ${limit}`
  return (value, run) => typeof value !== 'number' || value <= limit || run.fail(message)
}

export const exclusiveMinimum: Keyword = (site) => {
  const limit = expectNumber(site, 'exclusiveMinimum')
  const message = `must be greater than ${limit}`
  return (value, run) => typeof value !== 'number' || value > limit || run.fail(message)
}

export const exclusiveMaximum: Keyword = (site) => {
  const limit = expectNumber(site, 'exclusiveMaximum')
  const message = `must be less than ${limit}`
  return (value, run) => typeof value !== 'number' || value < limit || run.fail(message)
}

export const multipleOf: Keyword = (site) => {
  const unit = expectNumber(site, 'multipleOf')
  if (!(unit > 0)) refuseSchema('multipleOf', 'greater than 0')
  const message = `must be a multiple of ${unit}`
  return (value, run) => typeof value !== 'number' || isMultiple(value, unit, run) || run.fail(message)
}
