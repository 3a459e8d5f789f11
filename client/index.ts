// What the client offers.
export type { Answered, AnsweredPage, Caller, CallName, Given } from './call.ts'
export { type CallOptions, type Client, type ClientOptions, createClient, type EventPage } from './client.ts'
export { flagsFromItem, ipFromItem } from './convert.ts'
export { type EventFacts, factsOf } from './facts.ts'
export type { PollOptions } from './poll.ts'
export { type Problem, ProblemError } from './problem.ts'
export type { Timing } from './request.ts'
export type {
  AddOutcome,
  BatchOutcome,
  DdosEvent,
  DdosEventDetail,
  DnsSnapshot,
  EventOverview,
  EventReport,
  EventSeries,
  Explanation,
  Exporter,
  ExporterDetail,
  ExporterList,
  NamesImport,
  PassiveDnsRecord,
  Proof,
  Simulation,
  Site,
  SiteReport,
  StatisticEntry,
  Target,
  WantedSimulation,
  WhatIf,
} from './types.ts'
export type { EventFilter, EventWindow, Page } from './window.ts'
