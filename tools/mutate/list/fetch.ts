import type { Mutation } from '../mutation.ts'

/** Requests and responses of the fetch face, and the buffer that bodies are collected in. */
export const fetchFace: readonly Mutation[] = [
  {
    breaks: 'a body is not measured by the fetch face',
    file: 'src/transports/http/fetch/fetch-handler.ts',
    from: 'arrived.length + value.length > bodies.maxBytes ? bodies.tooLarge() : bodies.hold(growth)',
    to: 'bodies.hold(growth)',
    noticedBy: ['test/threats/bodies.test.ts'],
    threat: 11,
  },
  {
    breaks: 'what a body took of the memory for bodies is lost, on the fetch face',
    file: 'src/transports/http/fetch/fetch-handler.ts',
    from: 'bodies.release(held)',
    to: '',
    noticedBy: ['test/threats/limits.test.ts'],
    threat: 11,
  },
  {
    breaks: 'a packed body is read as it is, by the fetch face',
    file: 'src/transports/http/fetch/fetch-handler.ts',
    from: "if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {",
    to: "if (encoding === 'never') {",
    noticedBy: ['test/threats/bodies.test.ts'],
    threat: 11,
  },
  {
    breaks: 'who waits for a reader of the fetch face is not released when it leaves',
    file: 'src/transports/http/fetch/fetch-sink.ts',
    from: 'this.#readers.forget(this)\n    this.#wake()',
    to: 'this.#readers.forget(this)',
    noticedBy: ['src/transports/http/fetch/fetch-handler.test.ts'],
  },
  {
    breaks: 'a stream of the fetch face is not counted among what is unread',
    file: 'src/transports/http/fetch/fetch-sink.ts',
    from: 'this.#readers.wrote(this, bytes.length)',
    to: '',
    noticedBy: ['src/transports/http/fetch/fetch-handler.test.ts'],
  },
  {
    breaks: 'every piece of a body costs a copy of all that came before',
    file: 'packages/base/src/growing-buffer.ts',
    from: 'Math.max(2 * this.#bytes.length, leastBytes)',
    to: 'leastBytes',
    noticedBy: ['packages/base/src/growing-buffer.test.ts'],
  },
  {
    breaks: 'a connection keeps the buffer of its largest message',
    file: 'packages/base/src/growing-buffer.ts',
    from: 'if (this.#bytes.length > maxKeptBytes) this.#bytes = nothing',
    to: '',
    noticedBy: ['packages/base/src/growing-buffer.test.ts'],
  },
]
