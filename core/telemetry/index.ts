// Spans and metrics of a service: through @opentelemetry/api if the program has it, and for GET /metrics if that is
// enabled. Records names only: no address, subject, body, variable or text of an error. Called by the pipeline, the
// worker and, as a port, by plugins.
import type { Context, Counter, Histogram, Span } from '@opentelemetry/api';
import type { TelemetryPort } from '../contract/ports/telemetry.ts';
import { type Instrument, type InstrumentName, instruments, type Labels, Metrics, secondsBounds } from './metrics.ts';

type Api = typeof import('@opentelemetry/api');

/** The description of a measured piece of work. */
export interface Measured {
  /** The span's name. */
  readonly name: string;
  /** OpenTelemetry's kind. Written out, because the declarations of this file must not need its package. */
  readonly kind: 'INTERNAL' | 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER';
  readonly instrument: InstrumentName;
  /** Labels on the span and in the metric. */
  readonly labels: Labels;
  /** Ids on the span only. */
  readonly ids?: Readonly<Record<string, string>>;
  /** A W3C traceparent that becomes the span's parent if no span is active. */
  readonly parent?: string | null | undefined;
}

/** Adds information to a measurement while the work runs. */
export interface Measure {
  rename(name: string): void;
  label(labels: Labels): void;
  /** Marks the work as failed. `type` becomes the label `error.type`. */
  fail(type: string): void;
}

export interface Telemetry extends TelemetryPort {
  /** Loads OpenTelemetry's API; undefined if it is already loaded. */
  load(): Promise<void> | undefined;
  /** Whether anything is collected. If not, call the work directly: creating a `Measured` costs more than this check. */
  isOn(): boolean;
  measure<T>(measured: Measured, work: (measure: Measure) => Promise<T>): Promise<T>;
  record(instrument: InstrumentName, value: number, labels: Labels): void;
  /** The traceparent of the active span; null if there is none. */
  active(): string | null;
  /** Binds work that is called later, outside of the active span, to the span that is active now. */
  bound<A extends readonly unknown[], R>(work: (...args: A) => R): (...args: A) => R;
  /** The counts of GET /metrics; undefined if they are not enabled. */
  readonly metrics: Metrics | undefined;
}

/** The number of measurements between two checks for an SDK. */
const measurementsPerCheck = 500;

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Records nothing. For work while neither metrics nor traces are collected. */
export const noMeasure: Measure = { rename: () => undefined, label: () => undefined, fail: () => undefined };

/** The code of an error, or its name. Neither contains data of a user. */
export function errorType(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(code)) return code;
  return typeof name === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(name) ? name : 'Error';
}

class OpenTelemetry implements Telemetry {
  readonly metrics: Metrics | undefined;
  #api: Api | undefined;
  #loaded = false;
  #loading: Promise<void> | undefined;
  /** Whether an SDK collects spans or metrics. Checked from time to time until there is one. */
  #isCollected = false;
  #measurementsUntilCheck = 0;
  readonly #recorders = new Map<InstrumentName, (value: number, labels: Labels) => void>();

  constructor(metrics: Metrics | undefined) {
    this.metrics = metrics;
  }

  load(): Promise<void> | undefined {
    if (this.#loaded) return undefined;
    this.#loading ??= import('@opentelemetry/api')
      .catch(() => undefined)
      .then((api) => {
        this.#api = api;
        this.#loaded = true;
      });
    return this.#loading;
  }

  record(instrument: InstrumentName, value: number, labels: Labels): void {
    this.metrics?.record(instrument, value, labels);
    if (this.#api === undefined || !this.#isCollected) return;
    let recorder = this.#recorders.get(instrument);
    if (recorder === undefined) {
      recorder = recorderOf(this.#api, instruments[instrument]);
      this.#recorders.set(instrument, recorder);
    }
    recorder(value, labels);
  }

  active(): string | null {
    const api = this.#api;
    if (api === undefined || !this.#isCollected) return null;
    const spanContext = api.trace.getSpanContext(api.context.active());
    if (spanContext === undefined || !api.isSpanContextValid(spanContext)) return null;
    return `00-${spanContext.traceId}-${spanContext.spanId}-${spanContext.traceFlags.toString(16).padStart(2, '0')}`;
  }

  bound<A extends readonly unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    const api = this.#api;
    if (api === undefined || !this.#isCollected) return work;
    const active = api.context.active();
    return (...args) => api.context.with(active, () => work(...args));
  }

  isOn(): boolean {
    if (!this.#isCollected && this.#api !== undefined && this.#measurementsUntilCheck-- <= 0) {
      this.#isCollected = isCollected(this.#api);
      this.#measurementsUntilCheck = measurementsPerCheck;
    }
    return this.#isCollected || this.metrics !== undefined;
  }

  measure<T>(measured: Measured, work: (measure: Measure) => Promise<T>): Promise<T> {
    return this.isOn() ? this.#measure(measured, work) : work(noMeasure);
  }

  async #measure<T>(measured: Measured, work: (measure: Measure) => Promise<T>): Promise<T> {
    const api = this.#isCollected ? this.#api : undefined;
    const started = performance.now();
    let labels = measured.labels;
    const span = api === undefined ? undefined : this.#start(api, measured);
    const measure: Measure = {
      rename: (name) => void span?.span.updateName(name),
      label(newLabels) {
        labels = { ...labels, ...newLabels };
        span?.span.setAttributes(newLabels);
      },
      fail(type) {
        measure.label({ 'error.type': type });
        span?.span.setStatus({ code: 2 });
      },
    };
    try {
      return span === undefined || api === undefined
        ? await work(measure)
        : await api.context.with(span.context, () => work(measure));
    } catch (error) {
      measure.fail(errorType(error));
      throw error;
    } finally {
      this.record(measured.instrument, (performance.now() - started) / 1_000, labels);
      span?.span.end();
    }
  }

  provider<T>(
    { port, provider, operation }: Parameters<TelemetryPort['provider']>[0],
    work: () => Promise<T>,
  ): Promise<T> {
    if (!this.isOn()) return work();
    const labels = { 'postrider.port': port, 'postrider.provider': provider, 'postrider.operation.name': operation };
    return this.measure({ name: `${operation} ${port}`, kind: 'CLIENT', instrument: 'providers', labels }, work);
  }

  /** A span and its context; undefined if no SDK is registered. */
  #start(
    api: Api,
    { name, kind, labels, ids, parent }: Measured,
  ): { readonly span: Span; readonly context: Context } | undefined {
    const active = api.context.active();
    const parentContext = api.trace.getSpan(active) === undefined ? withParent(api, active, parent) : active;
    // If a span of another instrumentation is active, it already represents the request.
    const isInside =
      kind === 'SERVER' &&
      parentContext === active &&
      parentContext !== api.ROOT_CONTEXT &&
      api.trace.getSpan(parentContext) !== undefined;
    const span = api.trace
      .getTracer('postrider')
      .startSpan(
        name,
        { kind: api.SpanKind[isInside ? 'INTERNAL' : kind], attributes: { ...labels, ...ids } },
        parentContext,
      );
    if (!api.isSpanContextValid(span.spanContext())) return undefined;
    return { span, context: api.trace.setSpan(parentContext, span) };
  }
}

/**
 * Whether an SDK is registered. Without one, every span is invalid, and every meter is the same object, which does
 * nothing.
 */
function isCollected({ trace, metrics, ROOT_CONTEXT, isSpanContextValid }: Api): boolean {
  const span = trace.getTracer('postrider').startSpan('probe', { root: true }, ROOT_CONTEXT);
  if (isSpanContextValid(span.spanContext())) return true;
  return metrics.getMeter('postrider') !== metrics.getMeter('postrider.probe');
}

function recorderOf(api: Api, { name, kind, unit, description }: Instrument): (value: number, labels: Labels) => void {
  const meter = api.metrics.getMeter('postrider');
  if (kind === 'counter') {
    const counter: Counter = meter.createCounter(name, { unit, description });
    return (value, labels) => counter.add(value, labels);
  }
  const advice = { explicitBucketBoundaries: [...secondsBounds] };
  const histogram: Histogram = meter.createHistogram(name, { unit, description, advice });
  return (value, labels) => histogram.record(value, labels);
}

function withParent(api: Api, context: Context, parent: string | null | undefined): Context {
  const [, traceId, spanId, flags] = traceparentPattern.exec(parent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return context;
  const parentSpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return api.isSpanContextValid(parentSpanContext) ? api.trace.setSpanContext(context, parentSpanContext) : context;
}

/** The telemetry of one service. `metrics`: whether to count for GET /metrics. */
export function createTelemetry({ metrics }: { readonly metrics: boolean }): Telemetry {
  return new OpenTelemetry(metrics ? new Metrics() : undefined);
}
