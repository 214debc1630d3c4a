// Reads JSON that is known to be valid, for the conformance test of hitstop.hpp.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct Json {
    double number = 0;
    bool truth = false;
    bool is_truth = false;
    bool is_null = false;
    std::string text;
    std::vector<Json> items;
    std::map<std::string, Json> fields;

    bool has(const char *name) const { return fields.count(name) > 0; }
    const Json &operator[](const char *name) const { return fields.at(name); }
    const Json &operator[](size_t index) const { return items.at(index); }
    size_t size() const { return items.size(); }
};

class JsonReader {
public:
    explicit JsonReader(const std::string &text) : at_(text.c_str()) {}

    Json value() {
        Json json;
        switch (next()) {
            case '{':
                for (++at_; next() != '}'; skip(',')) {
                    std::string name = string();
                    skip(':');
                    json.fields[name] = value();
                }
                ++at_;
                break;
            case '[':
                for (++at_; next() != ']'; skip(',')) json.items.push_back(value());
                ++at_;
                break;
            case '"':
                json.text = string();
                break;
            case 't':
                json.truth = json.is_truth = true;
                at_ += 4;
                break;
            case 'f':
                json.is_truth = true;
                at_ += 5;
                break;
            case 'n':
                json.is_null = true;
                at_ += 4;
                break;
            default: {
                char *end;
                json.number = std::strtod(at_, &end);
                at_ = end;
            }
        }
        return json;
    }

private:
    char next() {
        while (*at_ == ' ' || *at_ == '\n') ++at_;
        return *at_;
    }

    void skip(char mark) {
        if (next() == mark) ++at_;
    }

    std::string string() {
        std::string text;
        next();
        for (++at_; *at_ != '"'; ++at_) {
            if (*at_ != '\\') {
                text += *at_;
            } else if (*++at_ == 'n') {
                text += '\n';
            } else if (*at_ == 'u') {
                // Of the Latin alphabets: two bytes in UTF-8.
                unsigned code = static_cast<unsigned>(std::strtoul(std::string(at_ + 1, 4).c_str(), nullptr, 16));
                text += static_cast<char>(0xC0 | (code >> 6));
                text += static_cast<char>(0x80 | (code & 0x3F));
                at_ += 4;
            } else {
                text += *at_;
            }
        }
        ++at_;
        return text;
    }

    const char *at_;
};
