import './no-debugger.js';
import { runGateway } from './run-gateway.js';

runGateway();
