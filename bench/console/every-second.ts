/** Rate and duration of repeated work. */
export interface Rate {
  readonly perSecond: number
  readonly seconds: number
}

const everyMs = 20

/** Does something so many times a second; a machine that was late makes up for it. */
export async function everySecond({ perSecond, seconds }: Rate, work: (count: number) => void): Promise<void> {
  const begun = performance.now()
  let done = 0
  for (let passed = 0; passed < seconds * 1_000; passed = performance.now() - begun) {
    const due = Math.floor((passed / 1_000) * perSecond)
    for (; done < due; done += 1) work(done)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
