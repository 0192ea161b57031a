/** Task for a caller: call as often as possible for a while, so many at once. */
export interface Round {
  readonly durationMs: number
  readonly inFlight: number
}

/** Report of a caller. */
export type RoundOutcome =
  | { readonly calls: number; readonly seconds: number; readonly latenciesMs: readonly number[] }
  | { readonly failure: string }

const sampledLatencies = 20_000

/** Runs the rounds the harness asks for; `call` makes one call and throws when the answer is wrong. */
export function serveRounds(call: (text: string) => Promise<void>): void {
  process.on('message', (round: Round) => {
    runRound(call, round).then(
      (outcome) => process.send?.(outcome),
      (cause: unknown) => process.send?.({ failure: String(cause) } satisfies RoundOutcome),
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
}

/** Throws unless the answer carries the text that was sent. */
export function expectEcho(answer: unknown, text: string): void {
  const content = (answer as { content?: readonly { text?: unknown }[] } | undefined)?.content
  if (content?.[0]?.text !== text) throw new Error(`Cannot accept ${JSON.stringify(answer)}: expected "${text}"`)
}

async function runRound(call: (text: string) => Promise<void>, round: Round): Promise<RoundOutcome> {
  const latenciesMs: number[] = []
  const start = performance.now()
  const end = start + round.durationMs
  let calls = 0

  async function keepCalling(): Promise<void> {
    let before = performance.now()
    while (before < end) {
      await call(`hello ${calls % 1000}`)
      const after = performance.now()
      latenciesMs[calls % sampledLatencies] = after - before
      calls += 1
      before = after
    }
  }

  await Promise.all(Array.from({ length: round.inFlight }, keepCalling))
  return { calls, seconds: (performance.now() - start) / 1000, latenciesMs }
}
