import { shorten } from '../message-words.ts'
import { SchemaError } from '../schema-error.ts'

/** The expression as the native engine has it. */
export function toNative(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch (cause) {
    throw new SchemaError(`Cannot use the pattern ${shorten(source)}: it is not a regular expression`, { cause })
  }
}
