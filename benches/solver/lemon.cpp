// LEMON's minimum-weight perfect matching, for `cargo xtask bench solver`.
//
// The argument names the graph: `full` (FullGraph, edges by arithmetic) or `smart` (SmartGraph, edges in arrays);
// `version` prints LEMON's and the compiler's. Commands on standard input, each answered by one line:
//
//   load PATH   ready CHECKSUM        reads a graph: vertices, then the costs of i < j row by row, 32-bit integers
//   edges PATH  ready CHECKSUM        `smart` alone: vertices, edges, then i, j and the cost of each, 32-bit integers
//   solve       solved SECONDS COST   from graph and weights in memory to LEMON's matching
//
// Anything that goes wrong is answered by `failed REASON`.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <lemon/config.h>
#include <lemon/full_graph.h>
#include <lemon/matching.h>
#include <lemon/smart_graph.h>

struct Instance {
    int n = 0;
    std::vector<std::int32_t> costs;

    static Instance read(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        Instance instance;
        std::int32_t n = 0;
        if (!file.read(reinterpret_cast<char*>(&n), sizeof n) || n < 0) {
            throw std::runtime_error("cannot read " + path);
        }
        instance.n = n;
        instance.costs.resize(static_cast<std::size_t>(n) * (n > 0 ? n - 1 : 0) / 2);
        const auto bytes = static_cast<std::streamsize>(instance.costs.size() * sizeof(std::int32_t));
        if (!file.read(reinterpret_cast<char*>(instance.costs.data()), bytes)) {
            throw std::runtime_error(path + " is too short");
        }
        return instance;
    }

    std::int64_t checksum() const {
        std::int64_t sum = 0;
        for (const std::int32_t cost : costs) sum += cost;
        return sum;
    }
};

// A graph by its edges.
struct Edges {
    std::int32_t n = 0;
    std::vector<std::int32_t> words;

    static Edges read(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        Edges edges;
        std::int32_t counts[2] = {0, 0};
        if (!file.read(reinterpret_cast<char*>(counts), sizeof counts) || counts[0] < 0 || counts[1] < 0) {
            throw std::runtime_error("cannot read " + path);
        }
        edges.n = counts[0];
        edges.words.resize(3 * static_cast<std::size_t>(counts[1]));
        const auto bytes = static_cast<std::streamsize>(edges.words.size() * sizeof(std::int32_t));
        if (!file.read(reinterpret_cast<char*>(edges.words.data()), bytes)) {
            throw std::runtime_error(path + " is too short");
        }
        return edges;
    }

    std::int64_t checksum() const {
        std::int64_t sum = 0;
        for (std::size_t k = 2; k < words.size(); k += 3) sum += words[k];
        return sum;
    }
};

// How a graph type is made, and which edge joins two of its nodes.
template <typename Graph>
struct Complete;

template <>
struct Complete<lemon::FullGraph> {
    lemon::FullGraph graph;

    explicit Complete(int n) : graph(n) {}

    lemon::FullGraph::Edge join(int i, int j) { return graph.edge(graph(i), graph(j)); }
};

template <>
struct Complete<lemon::SmartGraph> {
    lemon::SmartGraph graph;

    explicit Complete(int n) {
        graph.reserveNode(n);
        graph.reserveEdge(n * (n - 1) / 2);
        for (int i = 0; i < n; ++i) graph.addNode();
    }

    lemon::SmartGraph::Edge join(int i, int j) {
        return graph.addEdge(graph.nodeFromId(i), graph.nodeFromId(j));
    }
};

struct Solver {
    virtual ~Solver() = default;
    virtual void solve(std::ostream& out) const = 0;
};

// Solves a graph, timed, and says what the matching costs.
template <typename Graph, typename Weights>
void solve(const Graph& graph, const Weights& weights, std::ostream& out) {
    const std::clock_t before = std::clock();
    const auto start = std::chrono::steady_clock::now();
    lemon::MaxWeightedPerfectMatching<Graph, Weights> matching(graph, weights);
    const bool is_perfect = matching.run();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    // On a busy machine the wall clock runs on while other programs do. The shorter counts, as for all contenders.
    const double used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    if (!is_perfect) throw std::runtime_error("LEMON found no perfect matching");
    std::int64_t cost = 0;
    for (typename Graph::EdgeIt edge(graph); edge != lemon::INVALID; ++edge) {
        if (matching.matching(edge)) cost -= weights[edge];
    }
    out << "solved " << std::min(used, elapsed.count()) << ' ' << cost << std::endl;
}

template <typename Graph>
class CompleteSolver : public Solver {
    Complete<Graph> complete;
    // LEMON maximises and doubles weights twice: 32 bits hold four times the costs, which are below 2^21.
    typename Graph::template EdgeMap<int> weights;

public:
    explicit CompleteSolver(const Instance& instance) : complete(instance.n), weights(complete.graph) {
        auto cost = instance.costs.begin();
        for (int i = 0; i < instance.n; ++i) {
            for (int j = i + 1; j < instance.n; ++j) weights[complete.join(i, j)] = -*cost++;
        }
    }

    void solve(std::ostream& out) const override { ::solve(complete.graph, weights, out); }
};

class SparseSolver : public Solver {
    lemon::SmartGraph graph;
    // Along a path duals grow by the cost of each edge, beyond 32 bits.
    lemon::SmartGraph::EdgeMap<std::int64_t> weights;

public:
    explicit SparseSolver(const Edges& edges) : weights(graph) {
        graph.reserveNode(edges.n);
        graph.reserveEdge(static_cast<int>(edges.words.size() / 3));
        for (int i = 0; i < edges.n; ++i) graph.addNode();
        for (std::size_t k = 0; k < edges.words.size(); k += 3) {
            const auto edge = graph.addEdge(graph.nodeFromId(edges.words[k]), graph.nodeFromId(edges.words[k + 1]));
            weights[edge] = -static_cast<std::int64_t>(edges.words[k + 2]);
        }
    }

    void solve(std::ostream& out) const override { ::solve(graph, weights, out); }
};

template <typename Graph>
int answer() {
    std::unique_ptr<Solver> solver;
    std::cout.precision(std::numeric_limits<double>::max_digits10);
    for (std::string line; std::getline(std::cin, line);) {
        try {
            if (line.rfind("load ", 0) == 0) {
                const Instance instance = Instance::read(line.substr(5));
                solver.reset();
                solver.reset(new CompleteSolver<Graph>(instance));
                std::cout << "ready " << instance.checksum() << std::endl;
            } else if (line.rfind("edges ", 0) == 0) {
                const Edges edges = Edges::read(line.substr(6));
                solver.reset();
                solver.reset(new SparseSolver(edges));
                std::cout << "ready " << edges.checksum() << std::endl;
            } else if (line == "solve" && solver) {
                solver->solve(std::cout);
            } else {
                throw std::runtime_error("no such command: `" + line + "`");
            }
        } catch (const std::exception& error) {
            std::cout << "failed " << error.what() << std::endl;
        }
    }
    return 0;
}

int main(int count, char** arguments) {
    const std::string graph = count > 1 ? arguments[1] : "";
    if (graph == "full") return answer<lemon::FullGraph>();
    if (graph == "smart") return answer<lemon::SmartGraph>();
    if (graph == "version") {
        std::cout << LEMON_VERSION << " (compiler " << __VERSION__ << ")" << std::endl;
        return 0;
    }
    std::cerr << "usage: lemon full|smart|version" << std::endl;
    return 2;
}
