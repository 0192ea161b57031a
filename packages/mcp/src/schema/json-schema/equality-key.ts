import type { Meter } from './meter.ts'
import { SchemaError } from './schema-error.ts'

/** A string for a JSON value that is the same for equal values only. */
export function canonical(value: unknown, meter: Meter = schemaMeter()): string {
  meter.pay(spellingSteps)
  if (typeof value === 'string') {
    meter.pay(value.length >> 4)
    return JSON.stringify(value)
  }
  if (!isStructure(value)) return value === 0 ? '0' : String(value)
  meter.enter(1)
  const spelled = Array.isArray(value)
    ? `[${value.map((item) => canonical(item, meter)).join()}]`
    : `{${canonicalMembers(value as Record<string, unknown>, meter)}}`
  meter.leave(1)
  return spelled
}

/** True if a value is an object or an array, which only {@link canonical} can compare. */
export function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

// building strings takes longer than looking at values
const spellingSteps = 10

function canonicalMembers(value: Record<string, unknown>, meter: Meter): string {
  return Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${canonical(name, meter)}:${canonical(value[name], meter)}`)
    .join()
}

// the values inside a schema are as large as the schema, which is here already; only the call stack needs care
function schemaMeter(): Meter {
  let depth = 0
  return {
    pay: () => {},
    enter: () => {
      if (++depth > maxDepth)
        throw new SchemaError(`Cannot use schema: a value in it is nested more than ${maxDepth} deep`)
    },
    leave: () => {
      depth--
    },
  }
}

const maxDepth = 256
