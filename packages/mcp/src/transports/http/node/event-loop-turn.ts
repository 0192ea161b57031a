type Task = () => void

const waiting: Task[] = []
let answers: Task[] | undefined

/**
 * Runs a task at the end of this turn of the event loop, in a row with all others of this turn, and what they write
 * after the last of them: work of one kind finds its code in the processor's caches, where a read from a socket and a
 * write to it in between would have driven it out.
 */
export function atEndOfTurn(task: Task): void {
  if (waiting.push(task) === 1) setImmediate(endOfTurn)
}

/** Runs a task after all tasks of this turn; at once when none is running. */
export function afterServing(task: Task): void {
  if (answers) answers.push(task)
  else task()
}

function endOfTurn(): void {
  const written: Task[] = []
  answers = written
  try {
    runAll(waiting.splice(0))
  } finally {
    answers = undefined
    runAll(written)
  }
}

// a task that throws must not stop the next ones
function runAll(tasks: readonly Task[]): void {
  let next = 0
  try {
    for (; next < tasks.length; next++) tasks[next]?.()
  } finally {
    for (const task of tasks.slice(next + 1)) setImmediate(task)
  }
}
