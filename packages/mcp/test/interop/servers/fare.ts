/** The menu that the cafés of both official SDKs share. */
import { reply, user } from './words.ts'

export const info = { name: 'cafe', version: '1.0.0' }

export const options = {
  instructions: 'Be polite',
  capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
}

export const menu = { uri: 'cafe://menu', mimeType: 'text/plain', text: 'espresso, cortado' }

export const logo = { uri: 'cafe://logo', mimeType: 'image/png', blob: 'AQID' }

export const add = ({ a, b }: { a: number; b: number }) => ({
  ...reply(`{"sum":${a + b}}`),
  structuredContent: { sum: a + b },
})

export const show = () => ({
  content: [
    { type: 'text' as const, text: 'a cup' },
    { type: 'image' as const, data: 'AQID', mimeType: 'image/png' },
    { type: 'resource' as const, resource: menu },
  ],
})

export const hear = () => ({ content: [{ type: 'audio' as const, data: 'BAUG', mimeType: 'audio/wav' }] })

export const cup = ({ href }: URL, { size }: Record<string, unknown>) => ({
  contents: [{ uri: href, text: `a ${size} cup` }],
})

export const sizes = (start: string) => ['small', 'large'].filter((size) => size.startsWith(start))

export const moods = (start = '') => ['happy', 'hungry', 'sad'].filter((mood) => mood.startsWith(start))

export const recommend = ({ mood }: { mood: string }) => user(`What suits somebody who is ${mood}?`)

/** The prompts in two pages: neither SDK has pages of its own. */
export const promptPage = (cursor?: string) =>
  cursor === 'more'
    ? { prompts: [{ name: 'recommend', arguments: [{ name: 'mood', required: true }] }] }
    : { prompts: [{ name: 'greet' }, { name: 'thank' }], nextCursor: 'more' }

/** Progress of the tool `steps`, step by step. */
export const steps = ['grinding', 'pressing', 'pouring'].map((message, at) => ({ progress: at + 1, total: 3, message }))
