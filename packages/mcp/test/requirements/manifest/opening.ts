import type { Requirements } from '../requirement.ts'

export const opening = {
  'initialize: version is agreed': {
    says: 'A server answers a version that it speaks with the same version, and says who it is and what it offers',
    rules: ['L1', '1.1'],
    last: '2025-11-25',
  },
  'initialize: counter-offer': {
    says: 'A server answers a version that it does not speak with the newest it can shake hands in',
    rules: ['L1', 'L40'],
    last: '2025-11-25',
  },
  'initialize: counter-offer is taken': {
    says: 'A client that is offered another version it speaks goes on in that version',
    rules: ['L1'],
    last: '2025-11-25',
  },
  'initialize: counter-offer is declined': {
    says: 'A client that is offered a version it does not speak disconnects',
    rules: ['L1', 'L5'],
    last: '2025-11-25',
  },
  'initialize: refusal': {
    says: 'A client whose version is refused by an error passes the error on and disconnects',
    rules: ['L5', '1.7'],
    last: '2025-11-25',
  },
  'initialize: order': {
    says: 'A client first sends initialize, after its answer notifications/initialized, and only then anything else',
    rules: ['L1', 'L2'],
    last: '2025-11-25',
  },
  'initialize: introduction': {
    says: 'A client says in initialize who it is and what it can be asked',
    rules: ['L1', '1.1'],
    last: '2025-11-25',
  },
  'initialize: comes first': {
    says: 'A server refuses a request that comes before initialize and does not explain itself',
    rules: ['L1', 'L2'],
    last: '2025-11-25',
    except: { 'http-session': 'without a session HTTP itself refuses' },
  },
  'initialize: bad params': {
    says: 'An introduction that lacks something is refused with -32602',
    rules: ['L1'],
    last: '2025-11-25',
  },
  'initialize: server waits for initialized': {
    says: 'A server tells of no changes before it has heard notifications/initialized',
    rules: ['L2'],
    last: '2025-11-25',
  },
  'initialize: server asks at once': {
    says: 'A client answers a server that asks as soon as it has heard notifications/initialized',
    rules: ['L2'],
    last: '2025-11-25',
  },
  'initialize: is never cancelled': {
    says: 'A client that gives up on initialize does not send a cancellation',
    rules: ['L3'],
    last: '2025-11-25',
    // an hour passes in it, which only a clock of the test's own can make bearable
    transports: ['memory'],
  },
  'initialize: again': {
    says: 'A client that introduces itself again starts over, in whatever version it then asks for',
    rules: ['L1', 'P185'],
    last: '2025-11-25',
  },
  'versions: both kinds on one connection': {
    says: 'After a handshake a server still serves requests that explain themselves, each in its own way',
    rules: ['P185', 'P11'],
    last: '2025-11-25',
  },
  'versions: any request may come first': {
    says: 'A request that explains itself is served without any opening',
    rules: ['P43', 'P11', 'P12', 'P13'],
    first: '2026-07-28',
  },
  'versions: unsupported': {
    says: 'A request in a version that is not served is refused with -32022, the versions that are, and the one asked for',
    rules: ['P40', '1.7'],
    first: '2026-07-28',
  },
  'versions: a handshake is refused': {
    says: 'A server that shakes no hands refuses initialize and names the versions it speaks',
    rules: ['P188', 'P189'],
    first: '2026-07-28',
  },
  'versions: nothing in common': {
    says: 'A client and a server without a common version fail to connect, and say so',
    rules: ['P189', 'P41'],
  },
  'versions: picked from what is supported': {
    says: 'A client whose version is refused with -32022 takes the newest of the versions named there that it speaks',
    rules: ['P41', 'P88', '2.20'],
    last: '2025-11-25',
  },
  'versions: refused for good': {
    says: 'A client whose version is refused with -32022 does not shake hands when it speaks none of the versions named',
    rules: ['P41', 'P88'],
    first: '2026-07-28',
  },
  'versions: discovered first': {
    says: 'A client that speaks both kinds asks server/discover before anything else, and needs no handshake then',
    rules: ['P87', 'P88', 'P187'],
    first: '2026-07-28',
  },
  'versions: fallback on any error': {
    says: 'A client shakes hands with a server that answers server/discover with any error that is not of the newest kind',
    rules: ['P88', 'P87'],
    last: '2025-11-25',
  },
  'versions: fallback on silence': {
    says: 'A client shakes hands with a server that does not answer server/discover',
    rules: ['P88'],
    last: '2025-11-25',
  },
  'versions: fallback on death': {
    says: 'A client starts a server again that did not survive server/discover, and shakes hands with it',
    rules: ['P88'],
    last: '2025-11-25',
  },
  'versions: no fallback on a recognised error': {
    says: 'A client that is refused by an error of the newest kind does not shake hands',
    rules: ['P88'],
    first: '2026-07-28',
  },
  'discover: result': {
    says: 'A server says what versions it speaks, what it offers, who it is, and how long that may be reused',
    rules: ['P42', 'P121', 'P19'],
    first: '2026-07-28',
  },
  'instructions: reach the client': {
    says: 'A client can read the instructions of the server',
    rules: ['1.1', 'P42'],
  },
  'server info: reaches the client': {
    says: 'A client can read who the server says it is',
    rules: ['1.1', 'P19', 'P20'],
  },
  'server info: plain': {
    says: 'Before titles, a server says its name and version and no more',
    rules: ['1.6', '3.5'],
    last: '2025-03-26',
  },
  'server info: title': {
    says: 'A server says its title from the revision on that has it',
    rules: ['1.6', 'L28'],
    first: '2025-06-18',
  },
  'server info: icons, description, website': {
    says: 'A server shows its icons, description and website from the revision on that has them',
    rules: ['1.6', 'L25'],
    first: '2025-11-25',
  },
  'client info: reaches the handler': {
    says: 'A handler can read who the client says it is and what it declared',
    rules: ['1.1', 'P18', 'P20'],
  },
} as const satisfies Requirements
