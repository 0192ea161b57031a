import { hash } from 'node:crypto'

const blockBytes = 64

/** A digest that recognises equal values for the owner of the key, and reveals nothing without it. */
export type KeyedDigest = (text: string) => string

/**
 * HMAC-SHA-256 under one key, which is ASCII and not longer than a block. Two whole hashes cost a third of an `Hmac`
 * object, and each act needs two digests.
 */
export function keyedDigest(key: string): KeyedDigest {
  const inner = masked(key, 0x36).toString('latin1')
  const outer = Buffer.concat([masked(key, 0x5c), Buffer.alloc(32)])
  return (text) => {
    outer.write(hash('sha256', inner + text, 'binary'), blockBytes, 'binary')
    return hash('sha256', outer, 'base64url')
  }
}

function masked(key: string, mask: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(key, 'latin1')
  return block.map((byte) => byte ^ mask) as Buffer
}
