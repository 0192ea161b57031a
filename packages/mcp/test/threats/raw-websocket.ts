/** WebSocket by hand: what a client of ours would not do. */
import { RawConnection } from './raw-socket.ts'

/** The request by which a WebSocket opens. */
export const handshake = (lines: readonly string[]): string =>
  [
    ...['GET /mcp HTTP/1.1', ...lines, 'Connection: Upgrade', 'Upgrade: websocket'],
    ...[
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: mcp',
      '',
      '',
    ],
  ].join('\r\n')

/** A frame as clients send them, whose mask changes nothing. */
export function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
  const length =
    payload.length < 126
      ? Buffer.of(0x80 | payload.length)
      : Buffer.of(0x80 | 126, payload.length >> 8, payload.length & 0xff)
  return Buffer.concat([Buffer.of((isLast ? 0x80 : 0) | opcode), length, Buffer.alloc(4), payload])
}

/** A WebSocket on which nothing is done that the test does not do. */
export async function rawWebSocket(port: number): Promise<RawConnection> {
  const connection = await RawConnection.to(port)
  connection.write(handshake(['Host: localhost']))
  await connection.until(/101 Switching Protocols[\s\S]*\r\n\r\n/)
  return connection
}
