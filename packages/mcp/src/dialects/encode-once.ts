import type { Method } from '../model/features.ts'
import type { Fields } from '../wire/messages.ts'
import { Encoded } from '../wire/write-message.ts'

type Encode = (method: string, result: Fields) => Fields

/**
 * Caches the serialised form of a list: a server returns the same object until the list changes, so a long list is
 * encoded once, not once per caller.
 */
export function encodeOnce(encode: Encode, methods: ReadonlyMap<string, Method>): Encode {
  const written = new WeakMap<Fields, Encoded>()
  return (method, result) => {
    if (methods.get(method)?.paged === undefined || !Object.isFrozen(result)) return encode(method, result)
    let encoded = written.get(result)
    if (!encoded) {
      encoded = new Encoded(JSON.stringify(encode(method, result)))
      written.set(result, encoded)
    }
    return encoded as unknown as Fields
  }
}
