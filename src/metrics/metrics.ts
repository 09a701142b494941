/** Counters, gauges and histograms of one service, as the table of metrics defines them. */

import {
  Counter,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  openMetricsContentType,
  Registry,
} from 'prom-client';
import { assertNever } from '../contract/assert-never.ts';
import {
  type LabelsOf,
  METRICS,
  type MetricDefinition,
  type MetricOf,
  type PlainGauge,
} from './metric-table.ts';

type Labels = Readonly<Record<string, string>>;

export class Metrics {
  // Not the global registry, so that two services in one process do not share their metrics.
  readonly #collection = new Registry<OpenMetricsContentType>();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();

  constructor() {
    this.#collection.setContentType(openMetricsContentType);
    for (const [name, definition] of Object.entries(METRICS)) this.#add(name, definition);
  }

  /** Adds to a counter. */
  count<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by = 1): void {
    this.#counters.get(name)?.inc(labels, by);
  }

  /** Sets a counter to a total that was counted elsewhere. */
  setTotal<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, total: number) {
    this.#counters.get(name)?.remove(labels as Labels);
    this.#counters.get(name)?.inc(labels, total);
  }

  set<Name extends MetricOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void {
    this.#gauges.get(name)?.set(labels, value);
  }

  /** Adds to a gauge; a negative number subtracts. */
  add<Name extends MetricOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, by: number): void {
    this.#gauges.get(name)?.inc(labels, by);
  }

  /** Removes the value of a gauge that is no longer known. */
  forget(name: PlainGauge): void {
    this.#gauges.get(name)?.remove();
  }

  /** Adds a duration to a histogram. */
  observe<Name extends MetricOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, seconds: number) {
    this.#histograms.get(name)?.observe(labels, seconds);
  }

  get contentType(): string {
    return this.#collection.contentType;
  }

  /** All metrics in the text format of OpenMetrics. */
  async text(): Promise<string> {
    return await this.#collection.metrics();
  }

  #add(name: string, definition: MetricDefinition): void {
    const { type, help, labels } = definition;
    const options = { name, help, labelNames: [...labels], registers: [this.#collection] };
    switch (type) {
      case 'counter': {
        const counter = new Counter(options);
        for (const label of labels) {
          for (const value of definition.values ?? []) counter.inc({ [label]: value }, 0);
        }
        this.#counters.set(name, counter);
        break;
      }
      case 'gauge':
        this.#gauges.set(name, new Gauge(options));
        break;
      case 'histogram': {
        const { buckets } = definition;
        this.#histograms.set(name, new Histogram({ ...options, buckets: [...buckets] }));
        break;
      }
      default:
        assertNever(type);
    }
  }
}
