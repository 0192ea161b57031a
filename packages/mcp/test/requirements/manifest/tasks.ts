import type { Requirements } from '../requirement.ts'

const core = { first: '2025-11-25', last: '2025-11-25' } as const
const extension = { first: '2026-07-28' } as const

/** Tasks: of the protocol itself in one revision, an extension from the next on. */
export const tasks = {
  'extensions: declared': {
    says: 'An extension that is switched on is declared by its id with its settings, and is off otherwise',
    rules: ['P44', 'P46'],
    ...extension,
  },
  'extensions: one side only': {
    says: 'Where only one side has an extension, calls go on without it, and its methods are refused',
    rules: ['P45', '4.1'],
    ...extension,
  },
  'tasks: not declared before': {
    says: 'Revisions without tasks neither declare them nor list support for them, and run every tool to its end',
    rules: ['1.5', '3.5'],
    last: '2025-06-18',
  },

  'tasks: declared': { says: 'A server declares what can be done with tasks', rules: ['L13', '1.5'], ...core },
  'tasks: support of a tool': {
    says: 'A tool is listed with whether it may or must run as a task, and otherwise without',
    rules: ['L13', '1.6'],
    ...core,
  },
  'tasks: forbidden': { says: 'A tool that never runs as a task is not called as one', rules: ['L13'], ...core },
  'tasks: required': { says: 'A tool that runs as a task only is not called without', rules: ['L13'], ...core },
  'tasks: created': {
    says: 'A call that asks for a task is answered with one: an id of its own, at work, with its times',
    rules: ['L14', 'L15'],
    ...core,
  },
  'tasks: result': {
    says: 'tasks/result waits for the end and answers with what the call would have been answered with, marked with the task',
    rules: ['L16'],
    ...core,
  },
  'tasks: error': {
    says: 'tasks/result of a task that ended in an error of the protocol is that error',
    rules: ['L16'],
    ...core,
  },
  'tasks: isError has failed': { says: 'A task whose tool reports an error has failed', rules: ['L17'], ...core },
  'tasks: refused': {
    says: 'An unknown task, a bad cursor and cancelling what has ended are bad params',
    rules: ['L17'],
    ...core,
  },
  'tasks: cancelled': {
    says: 'Cancelling ends a task at once and for good, and tells its handler',
    rules: ['L15', 'L19'],
    ...core,
  },
  'tasks: asked on the stream of the result': {
    says: 'A task that waits for input says so, and asks while a client waits for its result, marked with the task',
    rules: ['L18', 'L16'],
    ...core,
  },
  'tasks: progress': {
    says: 'The token of the call stays good for as long as its task lives',
    rules: ['L19'],
    ...core,
  },
  'tasks: own': {
    says: 'A task is known to the principal it belongs to and to no other, by every method and in lists',
    rules: ['L19'],
    ...core,
    except: { stdio: 'a pipe has no principals', websocket: 'the fixture has no sign-in there' },
  },

  'tasks extension: handle': {
    says: 'A caller that declared the extension gets a flat handle, which tasks/get resolves at once',
    rules: ['4.1'],
    ...extension,
  },
  'tasks extension: plain': {
    says: 'A caller that did not declare it gets the plain result, or is told what it lacks where a task is a must',
    rules: ['4.1'],
    ...extension,
  },
  'tasks extension: methods': {
    says: 'A caller that did not declare it is refused by every method of it; those of the older tasks do not exist',
    rules: ['4.1'],
    ...extension,
  },
  'tasks extension: end': {
    says: 'tasks/get shows the result, isError included, as completed, and an error of the protocol as failed',
    rules: ['4.1'],
    ...extension,
  },
  'tasks extension: cancelled': {
    says: 'tasks/cancel is acknowledged by nothing else, before and after the end, and tells the handler',
    rules: ['4.1'],
    ...extension,
  },
  'tasks extension: input': {
    says: 'A task shows what it waits for by keys that are never used again, and goes on when all is answered',
    rules: ['4.1'],
    ...extension,
  },
  'tasks extension: input before': {
    says: 'A tool may ask within the call first, and becomes a task then',
    rules: ['4.1'],
    ...extension,
  },
  'tasks extension: notices': {
    says: 'A caller that listens to its tasks is told how they stand, and of no others; no progress or log message comes from a task',
    rules: ['4.1', 'P53'],
    ...extension,
  },
  'tasks extension: own': {
    says: 'A task is known to the principal it belongs to and to no other',
    rules: ['4.1'],
    ...extension,
    except: { stdio: 'a pipe has no principals', websocket: 'the fixture has no sign-in there' },
  },
  'tasks: the older parameter': {
    says: 'The parameter by which the older tasks were asked for is ignored',
    rules: ['4.1'],
    ...extension,
  },
} as const satisfies Requirements
