import { Component, OnInit, signal } from '@angular/core';
import { createPricer } from 'order-cost';
import { hostFromFacts } from 'order-cost/testing';
import { deliveryZones, facts, order } from '../order';

@Component({
  selector: 'app-root',
  template: '<output id="priced">{{ priced() }}</output>',
})
export class App implements OnInit {
  protected readonly priced = signal('');

  async ngOnInit() {
    const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
    const bytes = await pricer.calculateJson(JSON.stringify(order));
    this.priced.set(new TextDecoder().decode(bytes));
  }
}
